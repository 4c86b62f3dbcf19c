/**
 * What happened, by name; each module adds its own by declaration merging. Payloads are ids: readers look up the
 * rest.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- empty until a module declares its own
export interface Events {}

export type AppEvent = { [Name in keyof Events]: { type: Name } & Events[Name] }[keyof Events]
