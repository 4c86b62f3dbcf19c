import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import type { S3Place } from '../src/kit/files/s3-files.ts'

export interface S3Server {
  place: Omit<S3Place, 'stagingFolder'>
  /** closes the door and leaves what is stored */
  stop(): Promise<void>
  /** opens it again at the same address */
  start(): Promise<void>
  close(): Promise<void>
}

const BUCKET = 'waybill-test'

/** An S3 server in this process, over a folder of its own. */
export async function startS3Server(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'waybill-s3-'))
  let port = 0
  let server: S3rver | null = null
  const start = async () => {
    server = new S3rver({
      address: '127.0.0.1',
      port,
      silent: true,
      directory,
      vhostBuckets: false,
      configureBuckets: [{ name: BUCKET, configs: [] }],
    })
    ;({ port } = await server.run())
  }
  const stop = async () => {
    await server?.close()
    server = null
  }
  await start()
  return {
    place: {
      bucket: BUCKET,
      prefix: 'files/of/waybill',
      region: 'us-east-1',
      endpoint: `http://127.0.0.1:${port}`,
      credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    },
    start,
    stop,
    async close() {
      await stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
