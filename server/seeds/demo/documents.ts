import type { Db } from '../../src/kit/db.ts'
import type { FileStore } from '../../src/kit/files.ts'
import { insertRows, takeIds } from './bulk.ts'
import { inLanes, keepFile } from './files.ts'
import { podPdf } from './pod.ts'
import { podTitle, type StoredOrder } from './write-orders.ts'
import type { World } from './world.ts'

/** A signed consignment note for every order whose POD has come; returns the documents by order. */
export async function seedPods(db: Db, world: World, files: FileStore, stored: readonly StoredOrder[], kept: string[]): Promise<Map<number, number>> {
  const orders = stored.filter(({ life }) => life.podAt !== null)
  const pods = await inLanes(8, orders, async (order) => {
    const file = await keepFile(files, await podPdf(world, order))
    kept.push(file.fileKey)
    return file
  })
  const ids = await takeIds(db, 'document', orders.length)
  await insertRows(
    db,
    'document',
    orders.map((order, index) => ({
      id: ids[index], ownerKind: 'order', ownerId: order.id, documentType: 'PROOF_OF_DELIVERY', title: podTitle(order.number), contentType: 'application/pdf', ...pods[index]!, expiredAt: null,
      orderCarrier: order.assignmentIds[0] ?? null, userId: order.planned.caseWorker.id, createdAt: order.life.podAt,
    })),
  ) // prettier-ignore
  return new Map(orders.map((order, index) => [order.id, ids[index]!]))
}
