// The site's settings, where the server writes them. The name is another than the product's own, so that a text that says it itself fails.
const block = document.createElement('script');
block.type = 'application/json';
block.id = 'pith-site';
block.textContent = JSON.stringify({ name: 'Quire', pictureWidths: [320, 640, 1280] });
document.head.append(block);
