// A picture that fills its place, and scrolls inside it where that is too narrow to read it.

export default function (component) {
  const { data: [data], parentElement } = component;
  let frame = parentElement.querySelector(".frame");
  if (!frame) {
    frame = Object.assign(document.createElement("div"), { className: "frame", tabIndex: -1 });
    frame.setAttribute("role", "region");
    frame.setAttribute("aria-label", "Picture");
    frame.append(document.createElement("img"));
    new ResizeObserver(() => {
      frame.tabIndex = frame.scrollWidth > frame.clientWidth ? 0 : -1; // then arrows scroll it
    }).observe(frame);
    parentElement.append(frame);
  }
  const picture = frame.firstChild;
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(data.figure)}`;
  picture.alt = data.alt;
}
