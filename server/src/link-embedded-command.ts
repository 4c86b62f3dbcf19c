import { linkEmbeddedPostgres } from './kit/database/embedded-postgres.ts'

// For an installation whose code the server cannot write to: `npm run build` does it beforehand.
linkEmbeddedPostgres()
