import type { Generated } from 'kysely'
import type { Permission } from '@waybill/contract/permissions'

declare module '../../kit/database/db.ts' {
  interface Tables {
    api_key: {
      id: Generated<number>
      title: string
      ownerId: number
      permissions: Permission[]
      hash: Buffer
      hint: string
      createdAt: string
      createdById: number
      expiresAt: string
      lastUsedAt: string | null
      revokedAt: string | null
      revokedById: number | null
    }
  }
}
