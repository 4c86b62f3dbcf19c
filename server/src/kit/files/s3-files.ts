import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { AppError } from '../context/errors.ts'
import { checkKey, createStaging, isKey, newKey, type FileStore } from './files.ts'
import { isMissingInS3, openS3, type S3Access } from './s3-client.ts'
import { ASIDE, OWNER, sweepPlace, type AgedKey } from './sweep.ts'

export interface S3Place extends S3Access {
  /** where bytes wait on this machine until it is known what they are */
  stagingFolder: string
  /** how many names the sweep asks for at once; at most, and if left out, 1,000 */
  pageSize?: number
}

const refused = (error: unknown): never => {
  throw new AppError(isMissingInS3(error) ? 'file_missing' : 'unavailable', {}, { cause: error })
}

/**
 * Files in a bucket of S3 or of what speaks like it. Bytes are staged on this machine, because their kind, size and
 * hash are known only once all have arrived; then they go over in one PUT, which the store takes whole or not at all.
 * Errors: `unavailable` where the store refuses or does not answer.
 */
export function createS3FileStore({
  bucket,
  prefix,
  region,
  endpoint,
  credentials,
  stagingFolder,
  pageSize = 1000,
}: S3Place): FileStore {
  const staging = createStaging({ folder: stagingFolder })
  const folder = prefix === '' ? '' : `${prefix}/`
  const objectOf = (key: string) => {
    checkKey(key)
    return { Bucket: bucket, Key: `${folder}${key}` }
  }
  const s3 = openS3({ bucket, prefix, region, endpoint, credentials })

  const asideOf = (key: string) => ({ Bucket: bucket, Key: `${folder}${ASIDE}/${key}` })

  // One by one: they are few, and not every store takes many at once.
  async function move(from: { Bucket: string; Key: string }, to: { Bucket: string; Key: string }): Promise<void> {
    const store = await s3()
    await store.copyObject({ ...to, CopySource: encodeURI(`${from.Bucket}/${from.Key}`) }).catch(refused)
    await store.deleteObject(from).catch(refused)
  }
  const putAside = (key: string) => move(objectOf(key), asideOf(key))
  const putBack = (key: string) => move(asideOf(key), objectOf(key))
  const removeAside = async (key: string) => void (await (await s3()).deleteObject(asideOf(key)).catch(refused))

  async function list(): Promise<{ kept: AgedKey[]; aside: AgedKey[] }> {
    const store = await s3()
    const found = { kept: [] as AgedKey[], aside: [] as AgedKey[] }
    let last: string | undefined
    for (let isMore: boolean | undefined = true; isMore; ) {
      // The first version of this call: every store knows it, and it goes on behind a name.
      const { Contents = [], IsTruncated } = await store
        .listObjects({ Bucket: bucket, Prefix: folder, Marker: last, MaxKeys: pageSize })
        .catch(refused)
      for (const { Key, LastModified } of Contents) {
        const name = Key!.slice(folder.length)
        const isAside = name.startsWith(`${ASIDE}/`)
        const key = isAside ? name.slice(ASIDE.length + 1) : name
        if (isKey(key) && LastModified) found[isAside ? 'aside' : 'kept'].push({ key, at: LastModified })
      }
      last = Contents.at(-1)?.Key
      isMore = IsTruncated && last !== undefined
    }
    return found
  }

  return {
    stage: staging.stage,
    discard: staging.discard,

    async keep({ path, sizeBytes, sha256 }) {
      const key = newKey()
      const body = createReadStream(path)
      try {
        await (await s3()).putObject({
          ...objectOf(key),
          Body: body,
          ContentLength: sizeBytes,
          ChecksumSHA256: Buffer.from(sha256, 'hex').toString('base64'),
        })
      } catch (error) {
        refused(error)
      } finally {
        body.destroy()
      }
      await rm(path, { force: true })
      return key
    },

    async put(key, bytes) {
      await (await s3()).putObject({ ...objectOf(key), Body: bytes }).catch(refused)
    },

    async count() {
      const { kept, aside } = await list()
      return kept.length + aside.length
    },

    async open(key) {
      const { Body } = await (await s3()).getObject(objectOf(key)).catch(refused)
      return Body as Readable
    },

    async read(key) {
      const { Body } = await (await s3()).getObject(objectOf(key)).catch(refused)
      return Buffer.from(await Body!.transformToByteArray().catch(refused))
    },

    async remove(key) {
      await (await s3()).deleteObject(objectOf(key)).catch((error: unknown) => isMissingInS3(error) || refused(error))
    },

    async claim(installation) {
      const store = await s3()
      const place = { Bucket: bucket, Key: `${folder}${OWNER}` }
      const written = async () => {
        const { Body } = await store.getObject(place)
        return (await Body!.transformToString()).trim()
      }
      try {
        return await written().catch(async (error: unknown) => {
          if (!isMissingInS3(error)) throw error
          await store.putObject({ ...place, Body: installation })
          // Of two that claim at once the later one stands.
          return written()
        })
      } catch (error) {
        return refused(error)
      }
    },

    async sweep(options) {
      const staged = await staging.sweep(options.before)
      const swept = await sweepPlace({ list, putAside, putBack, remove: removeAside }, options)
      return { staged, ...swept }
    },

    async answers() {
      await staging.check()
      await (await s3()).listObjects({ Bucket: bucket, Prefix: folder, MaxKeys: 1 })
      return true
    },
  }
}
