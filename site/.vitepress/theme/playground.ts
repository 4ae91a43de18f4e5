import { h, onBeforeUnmount, onMounted, ref } from 'vue'
import './playground.css'

/** The place of the playground. It is loaded with its page alone. */
export const Playground = {
  setup() {
    const place = ref<HTMLElement>()
    let unmount: (() => void) | undefined
    let isGone = false
    onMounted(async () => {
      const { mount } = await import('../../.pages/playground.js')
      if (place.value !== undefined && !isGone) unmount = mount(place.value)
    })
    onBeforeUnmount(() => {
      isGone = true
      unmount?.()
    })
    return () =>
      h('div', { ref: place, class: 'playground' }, h('noscript', 'Without JavaScript nothing can be signed here.'))
  },
}
