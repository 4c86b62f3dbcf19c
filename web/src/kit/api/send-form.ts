interface FormRequest {
  method: string
  headers: Headers
  form: FormData
  /** 0 to 1 */
  onProgress: (share: number) => void
  signal: AbortSignal | null
}

// Answers that have no body, by definition of Response.
const BODILESS = new Set([204, 205, 304])

/** Sends a form and tells how much of it has left, which fetch cannot. Answers, fails and is broken off as fetch is. */
export function sendForm(
  address: string,
  { method, headers, form, onProgress, signal }: FormRequest,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const request = new XMLHttpRequest()
    const breakOff = () => request.abort()
    request.open(method, address)
    request.responseType = 'blob'
    headers.forEach((value, name) => request.setRequestHeader(name, value))
    request.upload.addEventListener('progress', ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress(loaded / total)
    })
    request.addEventListener('load', () =>
      resolve(
        new Response(BODILESS.has(request.status) ? null : (request.response as Blob), {
          status: request.status,
          headers: headersIn(request.getAllResponseHeaders()),
        }),
      ),
    )
    request.addEventListener('error', () => reject(new TypeError('no answer came')))
    request.addEventListener('abort', () => reject(signal?.reason as Error))
    request.addEventListener('loadend', () => signal?.removeEventListener('abort', breakOff))
    signal?.addEventListener('abort', breakOff)
    request.send(form)
  })
}

const headersIn = (text: string): [string, string][] =>
  text
    .trim()
    .split(/\r?\n/)
    .flatMap((line) =>
      line.includes(':')
        ? [[line.slice(0, line.indexOf(':')).trim(), line.slice(line.indexOf(':') + 1).trim()] as [string, string]]
        : [],
    )
