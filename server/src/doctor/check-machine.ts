import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { freeBytes } from '../kit/files/free-space.ts'
import { createPdfRenderer } from '../kit/pdf/pdf.ts'
import { finding, type Finding } from './finding.ts'

const GIGABYTE = 1_000_000_000
const LEAST_FREE = 0.5 * GIGABYTE
const LITTLE_FREE = 5 * GIGABYTE

/** The Node that runs this is the one that runs the server. */
export const checkNode = (): Finding => ({
  level: 'right',
  about: 'Node',
  words: `${process.versions.node} on ${process.platform}-${process.arch}`,
})

/** Sets a page, which takes the typesetter and its fonts. */
export const checkFonts = (): Promise<Finding> =>
  finding('Documents', 'Install the packages anew: delete node_modules, then npm start.', async () => {
    const pdf = createPdfRenderer({ templateDir: join(import.meta.dirname, 'templates'), timeLimitMs: 60_000 })
    try {
      await pdf.renderPdf({ template: 'page', data: {}, language: 'en', title: 'Doctor' })
      return 'fonts and typesetter are there: a page was set'
    } finally {
      pdf.close()
    }
  })

/** Room on the disk of the data folder. */
export const checkDisk = ({ dataDir }: Config): Promise<Finding> =>
  finding('Disk', 'Make room, or move DATA_DIR to a larger disk.', async () => {
    const free = await freeBytes(dataDir)
    const words = `${(free / GIGABYTE).toFixed(1)} GB are free in ${dataDir}`
    if (free < LEAST_FREE) throw new Error(words)
    return free < LITTLE_FREE ? { level: 'note', words } : words
  })

/** True where the embedded database has been made. */
export const hasEmbeddedDatabase = ({ dataDir }: Config): boolean => existsSync(join(dataDir, 'postgres', 'cluster'))
