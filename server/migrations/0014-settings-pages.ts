import { sql, type Kysely } from 'kysely'

/** Salutations. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table salutation (
      id bigint generated always as identity primary key,
      version int not null default 1,
      title text not null,
      gender text not null,
      "countryId" bigint not null references country,
      state text not null default 'active',
      "titleKey" text generated always as (search_key(title)) stored,
      "searchKey" text generated always as (search_key(title)) stored,
      constraint "taken__title__salutation" unique (title, "countryId", gender)
    )
  `.execute(db)
}
