#!/bin/sh
# Run once by the image of PostgreSQL on an empty database: the two roles of the README.
set -eu
psql --set=ON_ERROR_STOP=1 --set=owner="$WAYBILL_OWNER_PASSWORD" --set=app="$WAYBILL_APP_PASSWORD" \
  --username "$POSTGRES_USER" --dbname postgres <<'SQL'
create role waybill_owner login password :'owner';
create role waybill_app login password :'app';
grant waybill_app to waybill_owner;
create database waybill owner waybill_owner;
SQL
