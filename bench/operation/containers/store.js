// Stands in for the store of files: the S3 server of the tests, over the folder that compose.yaml gives it. Whose keys
// count it takes from the same file as the other.
import { readFileSync } from 'node:fs'
import S3rver from 's3rver'

const given = Object.fromEntries(
  process.argv
    .slice(2)
    .flatMap((word) => ((/^-([\w.]+)=(.*)$/.exec(word) ?? []).length ? [word.slice(1).split('=')] : [])),
)
const { identities } = JSON.parse(readFileSync(given['s3.config'], 'utf8'))
const [{ accessKey, secretKey }] = identities[0].credentials
// It knows one pair alone.
if (accessKey !== 'S3RVER' || secretKey !== 'S3RVER') throw new Error('the keys have to be S3RVER here')

await new S3rver({ address: '0.0.0.0', port: 8333, directory: given.dir, silent: true, vhostBuckets: false }).run()
process.once('SIGTERM', () => process.exit(0))
