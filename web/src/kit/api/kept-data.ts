/**
 * For `placeholderData` of what is asked for anew with each version of a record: what is shown of this record stays
 * until the next has come, so that nothing moves and the focus stays. `ofRecord` is what the query's key begins with,
 * whatever the version.
 */
export const keptOf =
  (...ofRecord: readonly unknown[]) =>
  <Data>(before: Data | undefined, query?: { queryKey: readonly unknown[] }): Data | undefined =>
    ofRecord.every((part, place) => query?.queryKey[place] === part) ? before : undefined
