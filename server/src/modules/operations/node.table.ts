import type { Generated, JSONColumnType } from 'kysely'

declare module '../../kit/database/db.ts' {
  interface Tables {
    node: {
      id: string
      host: string
      port: number
      version: string
      settings: JSONColumnType<Record<string, string>>
      startedAt: Generated<string>
      seenAt: Generated<string>
    }
  }
}
