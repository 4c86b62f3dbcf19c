import type { JobDefinitions } from '../kit/jobs.ts'

/** Every job of the application, by name. */
export const jobDefinitions: JobDefinitions = {}
