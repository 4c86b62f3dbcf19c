import { sql, type GeneratedAlways, type RawBuilder } from 'kysely'
import { LANGUAGES, type Language } from '@waybill/contract/errors'

/** The columns of a table whose rows have a title in each of our languages beside the one they are kept by. */
export interface TitleColumns {
  titleEn: string | null
  titleDe: string | null
  titlePl: string | null
}

/** The same where they follow from something else. */
export type FollowingTitles = { readonly [Name in keyof TitleColumns]: GeneratedAlways<string | null> }

const columnOf = (language: Language): string => `title${language[0]!.toUpperCase()}${language.slice(1)}`

/** The title in a language, null where there is none. `alias` is what the query calls the table. */
const titleIn = (language: Language, alias: string): RawBuilder<string | null> =>
  sql`${sql.ref(`${alias}.${columnOf(language)}`)}`

/** What people of a language read: the title in it, else the one the row is kept by (decision 058). */
export const shownTitle = (language: Language, alias: string): RawBuilder<string> =>
  sql`coalesce(${titleIn(language, alias)}, ${sql.ref(`${alias}.title`)})`

/** Every title of a row in each language, as search compares them. */
export const titleKeys = (alias: string): RawBuilder<string | null>[] =>
  LANGUAGES.map((language) => sql`search_key(${titleIn(language, alias)})`)

/** Every name of a row that is not the one shown, each once. */
export const otherNames = (language: Language, alias: string): RawBuilder<string[]> =>
  sql`array(select distinct name from unnest(array[${sql.join([
    sql.ref(`${alias}.title`),
    ...LANGUAGES.map((one) => titleIn(one, alias)),
  ])}]) as named(name) where name <> ${shownTitle(language, alias)} order by name)`
