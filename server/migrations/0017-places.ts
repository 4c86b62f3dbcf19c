import { sql, type Kysely } from 'kysely'

/**
 * The gazetteer: a row for each name, and for each later word of a name, under which a place is looked for. It is
 * filled when somebody first searches (decision 024); a newer gazetteer comes with a migration that empties it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Compared byte by byte, the key's own index finds what begins so, whatever the collation of the database.
  await sql`
    create table place (
      "geonameId" int not null,
      key text collate "C" not null,
      "isLaterWord" boolean not null,
      title text not null,
      "countryCode" text not null,
      latitude double precision not null,
      longitude double precision not null,
      population int not null,
      "isLandmark" boolean not null,
      primary key (key, "geonameId")
    )
  `.execute(db)
  await sql`create index on place ("countryCode") where "isLandmark"`.execute(db)
}
