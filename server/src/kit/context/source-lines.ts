import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'

// What `npm start` runs is built of the sources, with maps beside it (server/build.ts).
const PLACE = /[^\s(]*\/(server\/dist\/[\w.-]+\.js):(\d+):(\d+)/g
const ROOT = new URL('../../../../', import.meta.url)

/** Address of a built file → its map; null where it has none. Read with the first fault. */
const maps = new Map<string, SourceMap | null>()

function mapOf(file: URL): SourceMap | null {
  const known = maps.get(file.href)
  if (known !== undefined) return known
  const path = fileURLToPath(`${file.href}.map`)
  const map = existsSync(path) ? new SourceMap(JSON.parse(readFileSync(path, 'utf8'))) : null
  maps.set(file.href, map)
  return map
}

/** A stack with the files and lines of the sources in place of those that were built of them. */
export const inSources = (stack: string, root = ROOT): string =>
  stack.replace(PLACE, (place, name: string, line: string, column: string) => {
    const file = new URL(name, root)
    const found = mapOf(file)?.findOrigin(Number(line), Number(column))
    if (found === undefined || !('fileName' in found)) return place
    return `${new URL(found.fileName, file).href}:${found.lineNumber}:${found.columnNumber}`
  })
