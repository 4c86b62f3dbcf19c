import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { inject } from 'vitest'
import type {} from './global-setup.ts'

export interface FreshDatabase {
  /** Connection string of a migrated, otherwise empty database that nobody else uses, as the role that serves. */
  url: string
  /** The same as the role that owns the tables: for a test that changes their shape. */
  ownerUrl: string
  drop(): Promise<void>
}

/** A database for one test file: a copy of the migrated template. Drop it after the last test, with the app closed. */
export const freshDatabase = (): Promise<FreshDatabase> => copyOf(inject('templateDatabase'))

/** The same after its first start, today, with `ADMIN`. */
export const startedDatabase = (): Promise<FreshDatabase> => copyOf(inject('startedDatabase'))

async function copyOf(template: string): Promise<FreshDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`
  // Copied file by file: nothing of it has to be written to the log first.
  await administer(`create database ${name} template ${template} strategy file_copy`)
  return freshUrls(name)
}

/** A database on which no migration has run. */
export async function emptyDatabase(): Promise<FreshDatabase> {
  const name = `empty_${randomBytes(8).toString('hex')}`
  await administer(`create database ${name}`)
  return freshUrls(name)
}

function freshUrls(name: string): FreshDatabase {
  const urlOf = (base: string) => {
    const url = new URL(base)
    url.pathname = `/${name}`
    return url.href
  }
  return {
    url: urlOf(inject('postgresUrl')),
    ownerUrl: urlOf(inject('postgresOwnerUrl')),
    drop: () => administer(`drop database ${name} with (force)`),
  }
}

// One connection for all files of a worker: each takes a twentieth of a second to open. It keeps no worker from ending,
// and ends with the cluster.
let administrator: Promise<Client> | undefined

async function connected(): Promise<Client> {
  const client = new Client({ connectionString: inject('postgresOwnerUrl') })
  client.on('error', () => {
    administrator = undefined
  })
  await client.connect()
  // Its types do not name it.
  ;(client as Client & { unref(): void }).unref()
  return client
}

async function administer(statement: string): Promise<void> {
  // One that could not be opened is tried again.
  administrator ??= connected().catch((error: unknown) => {
    administrator = undefined
    throw error
  })
  await (await administrator).query(statement)
}
