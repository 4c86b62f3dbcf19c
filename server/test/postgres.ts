import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { inject } from 'vitest'
import type {} from './global-setup.ts'

export interface FreshDatabase {
  /** Connection string of a migrated, otherwise empty database that nobody else uses. */
  url: string
  drop(): Promise<void>
}

/** A database for one test file: a copy of the migrated template. Drop it after the last test, with the app closed. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await administer(`create database ${name} template ${inject('templateDatabase')}`)
  return { url: urlOf(name), drop: () => administer(`drop database ${name} with (force)`) }
}

/** A database on which no migration has run. */
export async function emptyDatabase(): Promise<FreshDatabase> {
  const name = `empty_${randomBytes(8).toString('hex')}`
  await administer(`create database ${name}`)
  return { url: urlOf(name), drop: () => administer(`drop database ${name} with (force)`) }
}

function urlOf(name: string): string {
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/${name}`
  return url.href
}

async function administer(statement: string): Promise<void> {
  const client = new Client({ connectionString: inject('postgresUrl') })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
