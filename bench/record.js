// What the product asks of PostgreSQL for a request: its statements with their values and rows, heard at the driver.
import { createRequire } from 'node:module'
import { buildServer } from '../server/src/app/server.ts'
import { jobDefinitions } from '../server/src/app/jobs.ts'
import { systemClock } from '../server/src/kit/context/context.ts'
import { openDatabase } from '../server/src/kit/database/db.ts'
import { createLocalFileStore } from '../server/src/kit/files/files.ts'
import { createJobs } from '../server/src/kit/context/jobs.ts'
import { join } from 'node:path'

// The driver that the server uses, wherever it is installed.
const pg = createRequire(new URL('../server/package.json', import.meta.url))('pg')

function listenToDriver() {
  let heard = null
  const query = pg.Client.prototype.query
  pg.Client.prototype.query = function recorded(config, values, callback) {
    const text = typeof config === 'string' ? config : config?.text
    if (heard === null || typeof text !== 'string') return query.call(this, config, values, callback)
    const entry = { text, values: (Array.isArray(values) ? values : config.values) ?? [], rows: [] }
    heard.push(entry)
    const keep = (result) => {
      // As they came: who asked may take them out of their lists.
      entry.rows = structuredClone(result?.rows ?? [])
      return result
    }
    const given = typeof values === 'function' ? values : callback
    if (given) {
      const kept = (error, result) => given(error, keep(result))
      return Array.isArray(values) ? query.call(this, config, values, kept) : query.call(this, config, kept)
    }
    return query.call(this, config, values).then(keep)
  }
  return {
    async during(work) {
      heard = []
      try {
        const result = await work()
        return { result, statements: heard }
      } finally {
        heard = null
      }
    },
    stop: () => {
      pg.Client.prototype.query = query
    },
  }
}

// The session, told apart; transactions, which the bare server has too; and what the queue of jobs does beside it.
const NOT_OF_THE_REQUEST = /access_token|^\s*(?:begin|start transaction|commit|rollback)|\bupdate\s+job\./i

/** Runs requests in the real application. `ask` also gives the statements; the session's look-up is told apart. */
export async function openRecorder({ databaseUrl, folder, token }) {
  const database = openDatabase(databaseUrl)
  const jobs = createJobs({ url: databaseUrl, definitions: jobDefinitions, onError: () => undefined })
  const ports = {
    files: createLocalFileStore({ folder: join(folder, 'files') }),
    mailer: null,
    pdf: { close() {} },
    jobs,
  }
  const { app } = await buildServer({
    database,
    ports,
    clock: systemClock,
    health: { isDraining: false, parts: {} },
    logger: null,
  })
  const driver = listenToDriver()
  return {
    async ask({ method, path, headers, body }) {
      const { result, statements } = await driver.during(() =>
        app.inject({
          method,
          url: path,
          headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
          payload: body,
        }),
      )
      if (result.statusCode >= 400) throw new Error(`${method} ${path}: ${result.statusCode} ${result.body}`)
      return {
        body: result.body === '' ? null : JSON.parse(result.body),
        size: result.body.length,
        session: statements.find(({ text }) => text.includes('access_token')),
        statements: statements.filter(({ text }) => !NOT_OF_THE_REQUEST.test(text)),
      }
    },
    authorization: `Bearer ${token}`,
    async close() {
      driver.stop()
      await app.close()
      await jobs.stop({ graceMs: 1000 })
      await database.close()
    },
  }
}
