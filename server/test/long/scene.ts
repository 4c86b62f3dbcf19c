// Six people at work, and a fault in the middle of it.
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import { openDatabase, type Database } from '../../src/kit/database/db.ts'
import { ADMIN } from '../app.ts'
import type { Installation } from './installation.ts'
import { createWriter, emptyLedger, randomFrom, type Ledger, type Random, type World } from './writers.ts'

const WRITERS = 6

/** What people see of an installation. */
export type Site = Pick<Installation, 'call' | 'untilReady' | 'filesFolder'>

export interface Scene<Where extends Site = Site> {
  installation: Where
  database: Database
  ledger: Ledger
  world: World
  token: string
  random: Random
  /** how long each recovery took */
  readyAfterMs: number[]
}

/** Signs in, and makes what the writers need. */
export async function openScene<Where extends Site>(
  installation: Where,
  { databaseUrl, random }: { databaseUrl: string; random: Random },
): Promise<Scene<Where>> {
  const { body } = (await installation.call('POST', 'token', { body: ADMIN }))!
  const token = body.token as string
  const database = openDatabase(databaseUrl, { max: 3 })
  const idOf = async (table: string, column: string, value: string) =>
    (await database.pool.query<{ id: number }>(`select id from ${table} where ${column} = $1`, [value])).rows[0]!.id
  const countries = { DE: await idOf('country', 'code', 'DE'), PL: await idOf('country', 'code', 'PL') }
  const create = async (path: string, record: object) => {
    const answer = await installation.call('POST', path, { body: record, token })
    expect(answer?.status, JSON.stringify(answer?.body)).toBe(201)
    return answer!.body
  }
  const customer = await create('customers', {
    title: 'Hansa Bau GmbH',
    countryId: countries.DE,
    address: 'Kai 1',
    postal: '20457',
    city: 'Hamburg',
  })
  const carrier = await create('carrier-companies', {
    title: 'Trans-Wielkopolska Sp. j.',
    countryId: countries.PL,
    city: 'Poznań',
    drivers: [{ fullName: 'Łukasz Żak', plateNumber: 'PO 4T112' }],
  })
  const world: World = {
    customerId: customer.id,
    departmentId: await idOf('department', 'abbreviation', 'FTL West'),
    carrierCompanyId: carrier.id,
    driverId: carrier.drivers[0].id,
    countries,
  }
  return { installation, database, ledger: emptyLedger(), world, token, random, readyAfterMs: [] }
}

/**
 * Lets six people write, does harm after so many of their requests, and lets them go on until each has an answer or
 * has given up. `harm` resolves when the product is back.
 */
export async function writeThrough<Where extends Site>(
  harm: (scene: Scene<Where>) => Promise<void>,
  scene: Scene<Where>,
  { round, backWithinMs = 30_000 }: { round: number; backWithinMs?: number },
): Promise<void> {
  const { installation, ledger, world, token, random } = scene
  let isOver = false
  let ready: Promise<void> | null = null
  const untilReady = () => (ready ??= installation.untilReady(backWithinMs).finally(() => (ready = null)))
  const writers = Array.from({ length: WRITERS }, (_, index) =>
    createWriter({ installation, ledger, world, token, untilReady }, `r${round}w${index}`, randomFrom(random(2 ** 30))),
  )
  const harmAfter = ledger.begun + 15 + random(40)
  const pauseMs = random(30)
  const work = writers.map(async (writer) => {
    while (!isOver) await writer.step()
  })
  // A writer that found a fault ends the round at once.
  const broken = Promise.all(work).then(() => undefined)
  const harmed = (async () => {
    while (ledger.begun < harmAfter) await wait(1)
    await wait(pauseMs)
    await harm(scene)
    // They work on for a moment, on what has just come back.
    const goOnUntil = ledger.begun + 2 * WRITERS
    while (ledger.begun < goOnUntil) await wait(1)
  })()
  try {
    await Promise.race([harmed, broken])
    await harmed
  } finally {
    isOver = true
    await Promise.allSettled(work)
  }
  await broken
}
