import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Language } from '@waybill/contract/errors'
import { markBusy, startApart } from '../context/apart.ts'
import type { PdfAnswer, PdfTask } from './pdf-worker.ts'
import type { PdfAttachment, TypesetterBuild } from './typesetting.ts'

export interface PdfRequest {
  /** name of a template in the folder, without `.typ` */
  template: string
  /** anything that JSON can hold; reaches the template as data, never as markup */
  data: unknown
  language: Language
  title: string
  attachments?: PdfAttachment[]
  /** JPEG or PNG that the template shows as `/pictures/<index>`; too big to be data */
  pictures?: readonly Uint8Array[]
  /** what the file says about its own creation; now, if absent */
  createdAt?: Date
}

/**
 * `timeout`: stopped at the time limit · `template`: the template or its data are wrong · `crashed`: the worker died
 * · `closed`: the server is stopping.
 */
export interface PdfError extends Error {
  kind: 'timeout' | 'template' | 'crashed' | 'closed'
}

export interface PdfRenderer {
  /** One PDF/A-3b file. Rejects with a PdfError. */
  renderPdf(request: PdfRequest): Promise<Buffer>
  /** Tells each document that was asked for, with the time from the asking on: `done`, or the kind of its error. */
  hear(told: (template: string, outcome: 'done' | PdfError['kind'], seconds: number) => void): void
  /** Ends the worker; what still waits is rejected. */
  close(): void
}

// The first one says what can be drawn at all.
const FONT_FILES = ['400Regular', '500Medium', '600SemiBold', '400Regular_Italic', '600SemiBold_Italic'].map((face) =>
  fileURLToPath(import.meta.resolve(`@expo-google-fonts/inter/${face}/Inter_${face}.ttf`)),
)

const pdfError = (kind: PdfError['kind'], message: string): PdfError =>
  Object.assign(new Error(message), { name: 'PdfError', kind })

interface Waiting {
  task: PdfTask
  resolve(pdf: Buffer): void
  reject(error: PdfError): void
}

/**
 * Renders Typst templates from one folder to PDF/A-3b, one after the other, in a process of its own that starts with
 * the first document.
 * Not a worker thread: a thread inside native code can neither be terminated nor let the process exit, a process can
 * always be killed.
 * It also gives its memory back when nothing was rendered for `idleMs`.
 */
export function createPdfRenderer({
  templateDir,
  build,
  timeLimitMs = 20_000,
  idleMs = 60_000,
}: {
  templateDir: string
  /** of the typesetter; if absent, the native one where it loads */
  build?: TypesetterBuild
  timeLimitMs?: number
  idleMs?: number
}): PdfRenderer {
  const queue: Waiting[] = []
  let current: Waiting | null = null
  let worker: ChildProcess | null = null
  let timer: NodeJS.Timeout | undefined
  let nextId = 1
  let isClosed = false
  const hearers: Parameters<PdfRenderer['hear']>[0][] = []

  function startWorker(): ChildProcess {
    const child = startApart(new URL('./pdf-worker.ts', import.meta.url), {
      args: [build ?? 'any', templateDir, ...FONT_FILES],
    })
    let lastWords = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      lastWords = (lastWords + chunk.toString()).slice(-2000)
    })
    child.on('message', (answer: PdfAnswer) => {
      if (worker !== child || answer.id !== current?.task.id) return
      if (answer.isSpent) dropWorker()
      if ('pdf' in answer)
        finish((waiting) =>
          waiting.resolve(Buffer.from(answer.pdf.buffer, answer.pdf.byteOffset, answer.pdf.byteLength)),
        )
      else finish((waiting) => waiting.reject(pdfError('template', answer.error)))
    })
    const lost = (reason: string) => {
      if (worker !== child) return
      worker = null
      if (current)
        finish((waiting) =>
          waiting.reject(pdfError('crashed', `the PDF worker stopped (${reason}) ${lastWords.trim()}`.trim())),
        )
    }
    child.on('error', (error) => lost(error.message))
    child.on('close', (code, signal) => lost(signal ?? `exit code ${code}`))
    return child
  }

  function dropWorker() {
    const child = worker
    worker = null
    child?.kill('SIGKILL')
  }

  function finish(settle: (waiting: Waiting) => void) {
    clearTimeout(timer)
    const done = current
    current = null
    if (done) settle(done)
    next()
  }

  function next() {
    if (current) return
    current = queue.shift() ?? null
    if (!current) {
      if (worker) markBusy(worker, false)
      timer = setTimeout(dropWorker, idleMs).unref()
      return
    }
    clearTimeout(timer)
    const child = (worker ??= startWorker())
    markBusy(child, true)
    timer = setTimeout(() => {
      const { template } = current!.task
      dropWorker()
      finish((waiting) =>
        waiting.reject(pdfError('timeout', `the template "${template}" was not done after ${timeLimitMs} ms`)),
      )
    }, timeLimitMs)
    child.send(current.task, (error) => {
      if (error) child.kill('SIGKILL')
    })
  }

  return {
    renderPdf({ template, data, language, title, attachments = [], pictures = [], createdAt = new Date() }) {
      if (isClosed) return Promise.reject(pdfError('closed', 'the PDF renderer is closed'))
      const task: PdfTask = {
        id: nextId++,
        template,
        data: JSON.stringify(data),
        language,
        title,
        attachments,
        pictures,
        createdAtSeconds: Math.floor(createdAt.getTime() / 1000),
      }
      const began = performance.now()
      const tell = (outcome: Parameters<(typeof hearers)[number]>[1]) => {
        for (const told of hearers) told(template, outcome, (performance.now() - began) / 1000)
      }
      return new Promise((resolve, reject) => {
        queue.push({
          task,
          resolve: (pdf) => (tell('done'), resolve(pdf)),
          reject: (error) => (tell(error.kind), reject(error)),
        })
        next()
      })
    },
    hear(told) {
      hearers.push(told)
    },
    close() {
      isClosed = true
      clearTimeout(timer)
      dropWorker()
      for (const waiting of [current, ...queue.splice(0)])
        waiting?.reject(pdfError('closed', 'the PDF renderer was closed'))
      current = null
    },
  }
}
