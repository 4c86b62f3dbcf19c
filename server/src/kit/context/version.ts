import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The version of this Waybill. */
export const WAYBILL_VERSION = (
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')) as { version: string }
).version
