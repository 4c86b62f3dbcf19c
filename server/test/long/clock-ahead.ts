// Loaded before the server where a test wants another day than the machine's: the clock goes as fast, so many
// milliseconds ahead. What the database says of itself stays the machine's.
const ahead = Number(process.env.CLOCK_AHEAD_MS ?? 0)
const Machine = Date

globalThis.Date = new Proxy(Machine, {
  construct: (_target, given: unknown[], newTarget) =>
    Reflect.construct(Machine, given.length === 0 ? [Machine.now() + ahead] : given, newTarget) as object,
  apply: () => new Machine(Machine.now() + ahead).toString(),
  get: (_target, name) => (name === 'now' ? () => Machine.now() + ahead : (Reflect.get(Machine, name) as unknown)),
})
