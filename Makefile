# What a change must pass is `make test`; everything else is for working on a part.
GO         ?= go
STATICCHECK = $(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2
FUZZTIME   ?= 30s

# Only the race detector needs a C compiler. All else is compiled without one, and once: the programs that tests build are.
export CGO_ENABLED = 0
MAKEFLAGS += --no-print-directory

# What starts no goroutines of its own, and what mostly waits for other programs, is tested without the race detector, which makes
# it several times slower and finds nothing there. So are packages few of whose tests start goroutines: RACING names those tests.
RACELESS = ./attr ./capacity ./cmd/... ./cost ./design ./docs/... ./doctor ./engine/conformance ./engine/internal/iam \
	./engine/internal/sigv4 ./engine/internal/throttle ./examples/... ./expr ./generate ./internal/clienttest ./internal/dist \
	./internal/invent ./internal/keysinuse ./internal/near ./internal/pages ./internal/partition ./internal/peers/... \
	./internal/pipeline ./internal/plain ./internal/show ./internal/surface ./internal/tally ./internal/unsent ./keys ./model \
	./plan ./prove ./s3blobs ./schema ./sdk ./spec ./stats/... ./telemetry ./wire ./workload
RACING = ^(TestDefaultIDs|TestEvidenceIsComplete|TestManyCallers|TestEpisodesOfGoroutines|TestStatementsOfManyCallers|TestEnvironment|TestAdviser|TestWatch)$$|^TestEndpoint(Interrupted|Fails)$$/^load$$

# lint vets all that is tested.
# GOGC: most tests are short and allocate much; collecting less often saves a quarter of their processor time.
TEST = GOGC=400 $(GO) test -vet=off -timeout 15m $(TESTFLAGS)
RACE = CGO_ENABLED=1 $(TEST) -race

.PHONY: test tests lint build examples bench fuzz peers clients terraform

# Nothing runs beside the tests: some of them look at how long things take.
test: lint tests clients examples ## formatting, vet, staticcheck, all tests, the examples

tests:
	$(RACE) $$($(GO) list ./... | grep -vxF "$$($(GO) list $(RACELESS))")
	$(RACE) -run '$(RACING)' ./internal/pipeline ./keys ./prove ./stats ./stats/rules
	$(TEST) $(RACELESS)

clients: ## the programs of docs/comparison.md with the AWS SDK and guregu/dynamo, in a module of their own
	cd internal/peers/clients && $(STATICCHECK) ./... && $(GO) test -timeout 5m $(TESTFLAGS) ./...

lint:
	@bad=$$(gofmt -l $$(git ls-files '*.go' | grep -v /testdata/)); if [ -n "$$bad" ]; then echo "not gofmt-ed:"; echo "$$bad"; exit 1; fi
	$(GO) vet ./...
	$(STATICCHECK) ./...

build:
	$(GO) build -o tablewright ./cmd/tablewright

# What one table adds to a design shows on half of the data. Each of these runs on one core, and nothing here looks at the time.
examples: build ## every examples/*.yaml that is not a *model.yaml builds in each school, and every model by hand is proven
	@out=$$(mktemp -d) && trap 'rm -rf "$$out"' EXIT && { \
		for m in examples/*model.yaml; do echo prove "$${m%%.*}.yaml" "$$m"; done; \
		for f in $$(ls examples/*.yaml | grep -v 'model\.yaml$$'); do for s in aggregates:1 single-table:0.5; do \
			echo build "$$f" --school $${s%:*} --data-scale $${s#*:} --out "$$out/$${s%:*}-$$(basename "$$f" .yaml)"; done; done; \
	} | xargs -P 2 -L 1 ./tablewright

bench: ## benchmarks; with TABLEWRIGHT_DYNAMODB_LOCAL also against DynamoDB Local
	$(GO) test -run '^$$' -bench . -benchmem ./...

fuzz: ## every fuzz target for FUZZTIME
	@for p in $$($(GO) list ./...); do for f in $$($(GO) test -list '^Fuzz' $$p | grep '^Fuzz'); do \
		echo "$$p $$f"; $(GO) test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) $$p || exit 1; done; done

peers: ## DynamoDB Local and the AWS SDK for JavaScript, for the tests that compare with them
	./internal/peers/install.sh .peers

terraform: ## OpenTofu and the AWS provider's tables, built from Go modules (minutes), and their tests on the engine
	$(GO) run ./internal/peers/terraform/build .peers/terraform
	TABLEWRIGHT_TERRAFORM=$(CURDIR)/.peers/terraform $(GO) test -count=1 -v ./internal/peers/terraform
