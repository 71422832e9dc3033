// The list of sections beside a page.
const toc = document.getElementById("toc");
if (toc) {
  const list = document.createElement("ul");
  list.className = "nav flex-column";
  for (const heading of document.querySelectorAll("main h2")) {
    const id = heading.id || heading.parentElement.id;
    if (!id) continue;
    const link = document.createElement("a");
    link.className = "nav-link";
    link.href = "#" + id;
    link.textContent = heading.textContent.trim();
    list.appendChild(document.createElement("li")).append(link);
  }
  if (list.children.length) toc.append(list);
  else toc.remove();
}
