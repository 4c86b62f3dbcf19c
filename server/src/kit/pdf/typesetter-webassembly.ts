import { readFileSync } from 'node:fs'
import { initSync, TypstCompilerBuilder } from '@myriaddreamin/typst-ts-web-compiler'
import { toPdfA3b } from './pdf-a.ts'
import { faultsOf, type Typesetter } from './typesetting.ts'

// In `diagnostics_format`: each fault as an object.
const AS_OBJECTS = 3

// Its cache cannot be emptied and grows by about a megabyte with each document.
const MEMORY_LIMIT_BYTES = 256 * 2 ** 20

export async function createWebAssemblyTypesetter(fonts: Buffer[]): Promise<Typesetter> {
  const { memory } = initSync({
    module: readFileSync(new URL(import.meta.resolve('@myriaddreamin/typst-ts-web-compiler/wasm'))),
  })
  const builder = new TypstCompilerBuilder()
  // Files that were not handed over do not exist, and packages have no registry.
  builder.set_dummy_access_model()
  for (const font of fonts) await builder.add_raw_font(font)
  const compiler = await builder.build()
  return {
    addFile: (path, content) => void compiler.map_shadow(`/${path}`, content),
    removeFile: (path) => void compiler.unmap_shadow(`/${path}`),
    isSpent: () => memory.buffer.byteLength > MEMORY_LIMIT_BYTES,
    async typeset({ inputs, attachments, createdAtSeconds }) {
      // It takes the time from the clock unless the document has its own, and the file's id follows from it.
      const at = new Date(createdAtSeconds * 1000)
      const date = {
        year: at.getUTCFullYear(),
        month: at.getUTCMonth() + 1,
        day: at.getUTCDate(),
        hour: at.getUTCHours(),
        minute: at.getUTCMinutes(),
        second: at.getUTCSeconds(),
      }
      const { result, diagnostics } = compiler.compile(
        '/main.typ',
        Object.entries({ ...inputs, date: JSON.stringify(date) }),
        'pdf',
        AS_OBJECTS,
      )
      compiler.reset()
      if (!result) throw new Error(faultsOf(diagnostics))
      return toPdfA3b(result, { attachments, createdAtSeconds })
    },
  }
}
