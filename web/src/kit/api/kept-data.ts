/**
 * For `placeholderData` of what is asked for anew with each version of a record: what is shown of this record stays
 * until the next has come, so that nothing moves and the focus stays. `id` has to stand in the query's key.
 */
export const keptOf =
  (id: number) =>
  <Data>(before: Data | undefined, query?: { queryKey: readonly unknown[] }): Data | undefined =>
    query?.queryKey.includes(id) === true ? before : undefined
