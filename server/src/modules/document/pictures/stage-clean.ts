import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { MAX_FILE_BYTES } from '@waybill/contract/document'
import type { Ctx } from '../../../kit/context/context.ts'
import { fieldError } from '../../../kit/context/errors.ts'
import { createTurns } from '../../../kit/context/turns.ts'
import type { StagedFile } from '../../../kit/files/files.ts'
import { cleanPicture } from './picture.rules.ts'

// A picture is held twice, by so many at once: two times 50 MB at most. The others wait with their bytes on disk.
const cleaning = createTurns({ atOnce: 2, waiting: 200 })

/**
 * Stages a picture without what it says of place, time, device and person; the file as it came stays the caller's, and
 * this one becomes theirs. Errors at `file`: `picture_unreadable`, `picture_too_large`.
 */
export const stageCleanPicture = (
  { ports: { files } }: Pick<Ctx, 'ports'>,
  { path }: StagedFile,
  contentType: string,
): Promise<StagedFile> =>
  cleaning.take(async () => {
    const clean = cleanPicture(await readFile(path), contentType)
    if (typeof clean === 'string') throw fieldError('file', clean)
    return files.stage(Readable.from([clean]), { maxBytes: MAX_FILE_BYTES + 1000 })
  })
