import { sql, type RawBuilder } from 'kysely'

/**
 * A file counts among the papers of its record: what came from a carrier by itself does once somebody has accepted it
 * (decision 123). `alias` is the row of `document`.
 */
export const isCounted = (alias: string): RawBuilder<boolean> =>
  sql<boolean>`coalesce(${sql.ref(`${alias}.acceptance`)}, 'accepted') = 'accepted'`
