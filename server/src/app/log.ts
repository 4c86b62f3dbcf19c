import { pino, stdSerializers, type DestinationStream, type Logger } from 'pino'
import type { Config } from '../config.ts'
import { inSources } from '../kit/context/source-lines.ts'

// Of an error of the database: what quotes values of rows, and statements with their literals.
const QUOTING = new Set(['detail', 'where', 'internalQuery', 'query', 'parameters'])

function withoutValues(written: unknown): unknown {
  if (Array.isArray(written)) return written.map(withoutValues)
  if (typeof written !== 'object' || written === null || !('stack' in written)) return written
  return Object.fromEntries(
    Object.entries(written).flatMap(([name, value]) => {
      if (QUOTING.has(name)) return []
      return [[name, name === 'stack' ? inSources(String(value)) : withoutValues(value)]]
    }),
  )
}

/**
 * The log: one JSON line per event. Errors are written without what quotes the values of rows (names, addresses,
 * numbers); code, constraint, table and column stay, and the stack, with the lines of the sources.
 */
export const openLog = (level: Config['logLevel'], to: DestinationStream): Logger =>
  pino({ level, serializers: { err: (error: Error) => withoutValues(stdSerializers.err(error)) } }, to)

/** A line for a statement that took long: which, and how many milliseconds; never its values. */
export const tellSlow =
  (log: Logger) =>
  (statement: string, ms: number): void =>
    log.warn({ statement, ms }, 'slow statement')
