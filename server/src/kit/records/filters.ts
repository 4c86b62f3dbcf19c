import type { RawBuilder } from 'kysely'
import type { Ctx } from '../context/context.ts'

type Condition = RawBuilder<boolean>

/** What a list's query says beside its filters: which page, in which order, what of its rows. */
type NoFilter = 'page' | 'cursor' | 'perPage' | 'sort' | 'fields'

/**
 * What each filter of a list's query means, by its name: one that is forgotten does not compile, nor one that the query
 * does not have. `More` is what a module's own filters need beside the context and the value.
 */
export type Filters<Query, More extends readonly unknown[] = []> = {
  readonly [Name in Exclude<keyof Query, NoFilter>]-?: (
    ctx: Ctx,
    value: NonNullable<Query[Name]>,
    ...more: More
  ) => Condition | readonly Condition[]
}

/**
 * A list that takes the filters of its query by name hands over what is left of the query, which is nothing: with a
 * filter of the contract that nobody applies it does not compile.
 */
export const noFilterLeft = (_left: Record<string, never>): void => undefined

/** The conditions of the filters that a query uses, in the order in which the filters are listed. */
export function conditionsOf<Query extends object, More extends readonly unknown[]>(
  filters: Filters<Query, More>,
  ctx: Ctx,
  query: Partial<Query>,
  ...more: More
): Condition[] {
  type AnyFilter = (ctx: Ctx, value: unknown, ...more: More) => Condition | readonly Condition[]
  const given = query as Readonly<Record<string, unknown>>
  return Object.entries(filters as Readonly<Record<string, AnyFilter>>).flatMap(([name, filter]) =>
    given[name] === undefined ? [] : filter(ctx, given[name], ...more),
  )
}
