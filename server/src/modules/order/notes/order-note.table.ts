import type { Generated } from 'kysely'

declare module '../../../kit/database/db.ts' {
  interface Tables {
    order_note: {
      id: Generated<number>
      version: Generated<number>
      orderId: number
      authorId: number
      text: string
      createdAt: string
      changedAt: string | null
    }
    order_note_mention: { noteId: number; userId: number; seenAt: string | null }
  }
}
