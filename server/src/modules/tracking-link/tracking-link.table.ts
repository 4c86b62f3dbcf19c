import type { Generated } from 'kysely'

declare module '../../kit/database/db.ts' {
  interface Tables {
    tracking_link: {
      id: Generated<number>
      orderId: number
      /** whose part of the order it shows */
      customerId: number
      nonce: Buffer
      /** by it a link is found; the token itself is worked out anew where it is shown */
      tokenHash: Buffer
      createdAt: string
      /** null: made for a mail that writes itself */
      createdById: number | null
      expiresAt: string
      revokedAt: Generated<string | null>
      revokedById: Generated<number | null>
      sentAt: Generated<string | null>
    }
  }
}
