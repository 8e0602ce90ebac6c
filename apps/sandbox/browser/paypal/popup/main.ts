/** In the popup after the buyer's answer: says it to the button that opened the window, and closes it. */
const message: unknown = JSON.parse(document.documentElement.dataset.message ?? 'null')

// The button is in a frame of this origin; no other page may hear it.
window.opener?.postMessage(message, location.origin)
window.close()
