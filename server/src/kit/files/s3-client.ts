import type { S3 } from '@aws-sdk/client-s3'

/** Where an S3 store is, and how one gets in. */
export interface S3Access {
  bucket: string
  /** without a slash at either end; empty: the bucket's root */
  prefix: string
  region: string
  /** null: Amazon's own. At any other the bucket stands in the path: few of them have a name for each bucket. */
  endpoint: string | null
  /** null: the machine's own, as the library finds them (instance or container role, profile) */
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string | undefined } | null
}

// A store that says nothing must not keep a call waiting for ever.
const CONNECT_MS = 3000
const SILENCE_MS = 30_000
// Each download holds one for as long as its caller reads.
const MAX_SOCKETS = 200

/** True where the store says that what was asked for is not there. */
export const isMissingInS3 = (error: unknown): boolean => ['NoSuchKey', 'NotFound'].includes((error as Error).name)

/** The library of S3, loaded when first used: it is heavy, and those who keep files in a folder never need it. */
export function openS3({ region, endpoint, credentials }: S3Access): () => Promise<S3> {
  let client: Promise<S3> | undefined
  return () =>
    (client ??= import('@aws-sdk/client-s3').then(
      (library) =>
        new library.S3({
          region,
          ...(endpoint !== null && { endpoint, forcePathStyle: true }),
          ...(credentials && { credentials }),
          // We send the hash that we have; not every store knows the checksums that the library would add or ask for.
          requestChecksumCalculation: 'WHEN_REQUIRED',
          responseChecksumValidation: 'WHEN_REQUIRED',
          requestHandler: {
            connectionTimeout: CONNECT_MS,
            socketTimeout: SILENCE_MS,
            httpAgent: { maxSockets: MAX_SOCKETS },
            httpsAgent: { maxSockets: MAX_SOCKETS },
          },
        }),
    ))
}
