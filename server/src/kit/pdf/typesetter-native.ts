import { join, resolve } from 'node:path'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { faultsOf, type Typesetter } from './typesetting.ts'

// A folder that does not exist: templates, fonts and attachments are handed over in memory,
// so nothing on the disk can be read.
const ROOT = resolve('/typst-in-memory')

export function createNativeTypesetter(fonts: Buffer[]): Typesetter {
  const compiler = NodeCompiler.create({ workspace: ROOT, fontArgs: [{ fontBlobs: fonts }] })
  return {
    addFile: (path, content) => compiler.mapShadow(join(ROOT, path), Buffer.from(content)),
    removeFile: (path) => compiler.unmapShadow(join(ROOT, path)),
    isSpent: () => false,
    async typeset({ inputs, createdAtSeconds }) {
      try {
        const compiled = compiler.compile({ mainFilePath: join(ROOT, 'main.typ'), inputs })
        if (!compiled.result)
          throw new Error(
            faultsOf(compiler.fetchDiagnostics(compiled.takeDiagnostics()!) as { message: string; path: string }[]),
          )
        return compiler.pdf(compiled.result, { pdfStandard: 'a-3b', creationTimestamp: createdAtSeconds })
      } finally {
        // Without this the memory grows without end.
        compiler.evictCache(10)
      }
    },
  }
}
