// `npm run person-data -- --to FILE WORD …`: what is held about a person, for who asks what it is.
import { runServerProgram } from './bootstrap.js'

process.exitCode = await runServerProgram('persons/person-data-command.ts')
