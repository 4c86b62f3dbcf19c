// `npm run restore -- FOLDER|s3://bucket/prefix`: restores a backup into an empty place.
import { runServerProgram } from './bootstrap.js'

process.exitCode = await runServerProgram('backup/restore-command.ts')
