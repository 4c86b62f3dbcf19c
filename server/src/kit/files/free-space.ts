import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Bytes that may still be written below a folder, also where it is not made yet. Errors: those of the system. */
export async function freeBytes(folder: string): Promise<number> {
  let path = folder
  while (!existsSync(path)) path = dirname(path)
  const { bavail, bsize } = await statfs(path)
  return bavail * bsize
}
