import type { Ctx } from '../src/kit/context/context.ts'
import type { TestApp } from './app.ts'

/** What a job works with: nobody signed in, the application of the test, and nothing written to the log. */
export function jobContext({ database, clock, ports, host }: TestApp): Ctx {
  const log = { info: () => undefined, error: () => undefined, warn: () => undefined, child: () => log }
  return {
    db: database.db,
    clock,
    ports,
    subscriptions: host.subscriptions,
    owners: host.owners,
    log: log as unknown as Ctx['log'],
    actor: null,
    language: 'en',
    requestId: 'test',
    companyFilter: null,
  }
}
