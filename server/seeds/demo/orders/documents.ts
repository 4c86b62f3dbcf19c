import type { Db } from '../../../src/kit/database/db.ts'
import type { FileStore } from '../../../src/kit/files/files.ts'
import { insertRows, takeIds } from '../bulk.ts'
import { inLanes, keepFile, type KeptFile } from '../files.ts'
import { podPdf } from './pod.ts'
import { podTitle, type StoredOrder } from './write-orders.ts'
import type { World } from '../world.ts'

const havePod = (stored: readonly StoredOrder[]) => stored.filter(({ life }) => life.podAt !== null)

/** Makes a signed consignment note for every order whose POD has come, and keeps it. */
export const makePods = (
  world: World,
  files: FileStore,
  stored: readonly StoredOrder[],
  kept: string[],
): Promise<KeptFile[]> =>
  inLanes(8, havePod(stored), async (order) => {
    const file = await keepFile(files, await podPdf(world, order))
    kept.push(file.fileKey)
    return file
  })

/** Stores the rows of the PODs made; returns the documents by order. */
export async function seedPods(
  db: Db,
  stored: readonly StoredOrder[],
  pods: readonly KeptFile[],
): Promise<Map<number, number>> {
  const orders = havePod(stored)
  const ids = await takeIds(db, 'document', orders.length)
  await insertRows(
    db,
    'document',
    orders.map((order, index) => ({
      id: ids[index],
      ownerKind: 'order',
      ownerId: order.id,
      documentType: 'PROOF_OF_DELIVERY',
      title: podTitle(order.number),
      contentType: 'application/pdf',
      ...pods[index]!,
      expiredAt: null,
      // With several trucks one paper is for all of them.
      orderCarrier: order.assignmentIds.length === 1 ? order.assignmentIds[0] : null,
      acceptance: order.life.podWaits ? 'toCheck' : 'accepted',
      userId: order.life.podWaits ? null : order.planned.caseWorker.id,
      createdAt: order.life.podAt,
    })),
  )
  return new Map(orders.map((order, index) => [order.id, ids[index]!]))
}
