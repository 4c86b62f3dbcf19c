// `npm run backup -- FOLDER|s3://bucket/prefix`: backs up database and files while people work; `--verify` checks one.
import { runServerProgram } from './bootstrap.js'

process.exitCode = await runServerProgram('backup/backup-command.ts')
