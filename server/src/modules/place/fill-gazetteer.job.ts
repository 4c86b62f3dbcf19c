import type { JobDefinition } from '../../kit/context/jobs.ts'
import { loadGazetteer } from './load-gazetteer.ts'

declare module '../../kit/context/jobs.ts' {
  interface JobData {
    fill_gazetteer: Record<string, never>
  }
}

/** Fills the gazetteer of a new database before somebody searches: that takes seconds, for which nobody should wait. */
export const fillGazetteer: JobDefinition<'fill_gazetteer'> = {
  handle: loadGazetteer,
  timetable: { cron: '50 3 * * *', data: {}, atStart: {} },
}
