#!/bin/sh
# Reads secrets from files before a program starts: NAME_FILE=/run/secrets/x becomes NAME=<content of the file>, for each name below.
# Usage: with-secrets.sh PROGRAM [ARGUMENT …]
set -eu

read_secret() {
  name="$1"
  eval "file=\${${name}_FILE:-}"
  [ -n "$file" ] || return 0
  if [ ! -r "$file" ]; then
    echo "with-secrets.sh: ${name}_FILE is $file, which this user cannot read" >&2
    exit 1
  fi
  value="$(cat "$file")"
  if [ -z "$value" ]; then
    echo "with-secrets.sh: ${name}_FILE is $file, which is empty" >&2
    exit 1
  fi
  export "$name=$value"
  unset "${name}_FILE"
}

for secret in GAMEKEEPER_METADATA GAMEKEEPER_EVENTS GAMEKEEPER_EVENTS_PASSWORD GAMEKEEPER_METRICS_TOKEN GAMEKEEPER_ADMIN_PASSWORD \
  GAMEKEEPER_OIDC_CLIENT_SECRET GAMEKEEPER_SMTP GAMEKEEPER_OTLP_HEADERS \
  GAMEKEEPER_S3_ACCESS_KEY_ID GAMEKEEPER_S3_SECRET_ACCESS_KEY GAMEKEEPER_S3_SESSION_TOKEN \
  AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN \
  PGPASSWORD CLICKHOUSE_PASSWORD; do
  read_secret "$secret"
done

exec "$@"
