import { readFileSync } from 'node:fs'
import mjml2html from 'mjml'
import { expect, test } from 'vitest'

const source = readFileSync(new URL('frame.mjml', import.meta.url), 'utf8')

const BUTTON = `<mj-button href="{{url}}" background-color="#0c647b" color="#ffffff" border-radius="4px"
          font-size="15px" font-weight="600" inner-padding="12px 22px" align="left"
          padding="4px 32px 20px">{{label}}</mj-button>`

// After a change of frame.mjml: `npx vitest run --project server frame -u`.
test.each([
  ['frame.html', ''],
  ['frame-with-button.html', BUTTON],
])('%s is what mjml makes of frame.mjml', async (file, button) => {
  // No fonts from elsewhere: mjml would link them from a stranger's server.
  const { html, errors } = await mjml2html(source.replace('<!-- button -->', button), {
    validationLevel: 'strict',
    fonts: {},
  })
  expect(errors).toEqual([])
  await expect(html).toMatchFileSnapshot(file)
})
