import { sql, type Kysely } from 'kysely'

const LANGUAGES = ['en', 'de', 'pl']
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

/** Code → what the country is called in our languages, by the Unicode CLDR that Node brings along. */
function countryNames(): Record<string, string> {
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
  const names = LANGUAGES.map((language) => new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }))
  return Object.fromEntries(
    codes.flatMap((code) => {
      const found = names.flatMap((one) => one.of(code) ?? [])
      return found.length === 0 ? [] : [[code, [...new Set(found)].join(' ')]]
    }),
  )
}

/**
 * A country is found by its names in all of our languages, whatever it is titled; and it has the language in which
 * partners there get their papers, where they have chosen none.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function country_names(code text) returns text language sql immutable
    return coalesce(${sql.lit(JSON.stringify(countryNames()))}::jsonb ->> code, '')
  `.execute(db)
  await sql`alter table country drop column "searchKey"`.execute(db)
  await sql`
    alter table country
      add column "searchKey" text
        generated always as (search_key(title || ' ' || code || ' ' || country_names(code))) stored,
      add column "codeKey" text generated always as (search_key(code)) stored,
      add column language text
  `.execute(db)
  await sql`
    update country set language = case code when 'PL' then 'pl' else 'de' end
    where code in ('AT', 'DE', 'LI', 'PL')
  `.execute(db)
}
