import { ConfigError } from '../config.ts'
import { AppError } from '../kit/context/errors.ts'
import { EmbeddedPostgresError } from '../kit/database/embedded-postgres.ts'
import { SecretKeyError } from '../kit/database/secret-key.ts'
import { BackupError } from './backup-place.ts'

/** One line for the person at the terminal. */
export const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** Megabytes as people read them. */
export const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`

/** What went wrong, for the person at the terminal: a sentence where we have one. */
function wordsOf(error: unknown): string {
  if ([BackupError, ConfigError, EmbeddedPostgresError, SecretKeyError].some((kind) => error instanceof kind))
    return (error as Error).message
  if (error instanceof AppError && error.cause instanceof Error)
    return `The store of files does not answer as it should: ${error.cause.message}`
  const { code, message, stack } = error as NodeJS.ErrnoException
  // The system's and PostgreSQL's codes; anything else is a fault of ours, and its stack is wanted.
  return code === undefined ? (stack ?? String(error)) : `${message} (${code})`
}

/** Runs a command to its end and leaves with 1 where it failed, the reason said. */
export async function runCommand(work: () => Promise<void>): Promise<never> {
  try {
    await work()
    process.exit(0)
  } catch (error) {
    process.stderr.write(`${wordsOf(error)}\n`)
    process.exit(1)
  }
}
