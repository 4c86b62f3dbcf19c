#!/bin/sh
# What the image of PostgreSQL does with an empty folder: a cluster whose superuser has the given password, then the
# scripts of the folder beside. People of its own container need no password.
set -eu
chown postgres "$PGDATA" && chmod 0700 "$PGDATA"
as_postgres() { setpriv --reuid=postgres --regid=postgres --init-groups "$@"; }
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  umask 077 && printf '%s' "$POSTGRES_PASSWORD" > /tmp/password && chown postgres /tmp/password
  as_postgres initdb --username="$POSTGRES_USER" --encoding=UTF8 --pwfile=/tmp/password \
    --auth-local=trust --auth-host=trust > /dev/null
  rm /tmp/password
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  as_postgres pg_ctl --wait --options='-c listen_addresses=' start > /dev/null
  for script in /docker-entrypoint-initdb.d/*.sh; do as_postgres sh "$script"; done
  as_postgres pg_ctl --wait --mode=fast stop > /dev/null
fi
exec setpriv --reuid=postgres --regid=postgres --init-groups postgres -c 'listen_addresses=*'
