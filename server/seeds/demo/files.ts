import { Readable } from 'node:stream'
import type { FileStore } from '../../src/kit/files/files.ts'

export interface KeptFile {
  fileKey: string
  sizeBytes: number
  sha256: string
}

/** Keeps bytes as the product keeps them. */
export async function keepFile(files: FileStore, bytes: Buffer): Promise<KeptFile> {
  const staged = await files.stage(Readable.from([bytes]), { maxBytes: Infinity })
  return { fileKey: await files.keep(staged), sizeBytes: staged.sizeBytes, sha256: staged.sha256 }
}

/**
 * Works through a list, a few at a time, so that the disk and both cores have something to do; results in the list's
 * order.
 */
export async function inLanes<T, R>(
  lanes: number,
  list: readonly T[],
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = Array.from({ length: list.length })
  let next = 0
  const lane = async () => {
    while (next < list.length) {
      const index = next
      next += 1
      results[index] = await work(list[index]!, index)
    }
  }
  await Promise.all(Array.from({ length: Math.min(lanes, list.length) }, lane))
  return results
}
