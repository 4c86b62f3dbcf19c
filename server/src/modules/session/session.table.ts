import type { Generated } from 'kysely'

declare module '../../kit/db.ts' {
  interface Tables {
    session: {
      id: Generated<number>
      userId: number
      refreshHash: Buffer
      createdAt: string
      expiresAt: string
      lastUsedAt: string
      endedAt: string | null
      userAgent: string | null
    }
    access_token: { hash: Buffer; sessionId: number; expiresAt: string }
    spent_refresh_token: { hash: Buffer; sessionId: number; spentAt: string }
    sign_in_failure: { id: Generated<number>; subject: string; at: string }
  }
}
